"""What is computed over trees and game logs."""
