"""Tests of the whole workspace; a package so that its helpers can be imported."""
