"""The site: one page of findings, charts, an explorer of trees and an assistant."""
