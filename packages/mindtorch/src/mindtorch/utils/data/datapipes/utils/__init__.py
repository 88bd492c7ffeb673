"""What pipes of files share."""
