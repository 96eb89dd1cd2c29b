"""What tests share: a command to run, lives to look at, models, stores, data and fakes."""
