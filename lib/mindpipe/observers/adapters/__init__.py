"""What looks at folders, repositories, programs and HTTP."""
