//! Crate text: fn not_this() {}
use std::fmt;

/// A point.
#[derive(Debug, Clone)]
pub struct Point<T> where T: Copy {
    pub x: T,
    pub y: T,
}

pub struct Unit;
pub struct Tuple(pub u8, u8);

/// Shapes.
pub enum Shape {
    Circle { r: f64 },
    Square(f64),
}

pub trait Area {
    const NAME: &'static str;
    fn area(&self) -> f64;
    fn twice(&self) -> f64 {
        self.area() * 2.0
    }
}

impl<T: Copy> Point<T> {
    pub const fn new(x: T, y: T) -> Self {
        Self { x, y }
    }

    #[inline]
    pub(crate) unsafe fn raw<'a>(&'a self) -> &'a str {
        let c = '{';
        let q = '"';
        r#"fn inside() { " }"#
    }
}

impl<T> fmt::Display for Point<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /* nested /* comment } */ } */
        write!(f, "{{}} {}", 1)
    }
}

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

pub mod inner {
    pub async fn deep() -> Result<(), Box<dyn std::error::Error>> {
        Ok(())
    }
}

extern "C" {
    fn abs(x: i32) -> i32;
}

static TABLE: [u8; 3] = [1, 2, 3];

pub fn generic<F>(f: F) -> impl Fn(u8) -> u8
where
    F: Fn(u8) -> u8,
{
    move |x| { f(x) }
}

#[cfg(test)]
mod tests {
    #[test]
    fn works() {
        assert!(true);
    }
}
