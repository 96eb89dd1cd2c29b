"""The durable queue of events for one mind: push, claim under a lease, ack or give back."""
