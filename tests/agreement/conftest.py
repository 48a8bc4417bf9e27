from small_workspace import cheap_hashing, make, small  # noqa: F401 - fixtures
