"""What a structured prompt says of the past and of oneself: recalled, condensed, in lines."""
