package main

import (
	"fmt"
	"os"
	"reflect"
	"strings"
)

// Checks that are printed as TAP.
type tap struct {
	names  []string
	bodies []func() error
}

func (t *tap) check(name string, body func() error) {
	t.names = append(t.names, name)
	t.bodies = append(t.bodies, body)
}

func (t *tap) run() {
	failed := 0
	fmt.Printf("1..%d\n", len(t.bodies))
	for i, body := range t.bodies {
		if err := body(); err != nil {
			failed++
			fmt.Printf("not ok %d - %s\n  # %s\n", i+1, t.names[i], strings.ReplaceAll(err.Error(), "\n", "\n  # "))
			continue
		}
		fmt.Printf("ok %d - %s\n", i+1, t.names[i])
	}
	if failed > 0 {
		os.Exit(1)
	}
}

func same(what string, actual, expected any) error {
	if reflect.DeepEqual(actual, expected) {
		return nil
	}
	return fmt.Errorf("%s: %v, not %v", what, actual, expected)
}

// The first of the errors.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
