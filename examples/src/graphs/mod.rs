//! The graphs that the programs play.

mod crowd;
mod particles;
mod scatter;
mod tower;

pub use crowd::crowd;
pub use particles::particles;
pub use scatter::forest;
pub use tower::tower;
