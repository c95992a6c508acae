"""The report by chapters: the tables and charts of a topic together."""
