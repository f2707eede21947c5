module orrery.example/testcontainers

go 1.24

require (
	github.com/testcontainers/testcontainers-go v0.37.0
	github.com/testcontainers/testcontainers-go/modules/opensearch v0.37.0
)
