"""The commands of mindpipe: read arguments, call one verb, write records."""
