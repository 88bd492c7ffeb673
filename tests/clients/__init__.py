"""Libraries and scripts that only know torch, run with torch and with mindtorch."""
