"""What can be done with an inbox, and how emergencies in it are found."""
