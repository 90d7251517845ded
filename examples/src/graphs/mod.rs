//! The three graphs that the programs play.

mod particles;
mod scatter;
mod tower;

pub use particles::particles;
pub use scatter::forest;
pub use tower::tower;
