//! Checks that are printed as TAP.

use std::future::Future;

pub type Outcome = Result<(), Box<dyn std::error::Error>>;

#[derive(Default)]
pub struct Tap {
    checks: usize,
    failed: usize,
}

impl Tap {
    pub async fn check(&mut self, name: &str, body: impl Future<Output = Outcome>) {
        self.checks += 1;
        match body.await {
            Ok(()) => println!("ok {} - {name}", self.checks),
            Err(error) => {
                self.failed += 1;
                println!("not ok {} - {name}\n  # {error}", self.checks);
            }
        }
    }

    pub fn end(self) -> ! {
        println!("1..{}", self.checks);
        std::process::exit(i32::from(self.failed > 0))
    }
}

pub fn same<T: PartialEq + std::fmt::Debug>(what: &str, actual: T, expected: T) -> Outcome {
    if actual == expected {
        return Ok(());
    }
    Err(format!("{what}: {actual:?}, not {expected:?}").into())
}
