"""Branches, commits, trees and blobs."""
