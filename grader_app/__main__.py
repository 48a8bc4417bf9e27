"""Lets ``python -m grader_app`` do what ``grader-app`` does."""

from grader_app.cli.main import main

if __name__ == "__main__":
    main()
