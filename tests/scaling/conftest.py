from small_workspace import cheap_hashing, make  # noqa: F401 - fixtures
