"""One page that shows a life: its data, and the document that holds them."""
