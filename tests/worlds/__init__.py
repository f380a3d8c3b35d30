"""Non-interference: whatever may not be known makes no difference to any byte that is sent."""
