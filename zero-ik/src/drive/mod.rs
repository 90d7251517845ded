//! What a character carries: plain settings, and drivers that run them each frame against a body in the world.

mod aim;
mod chain;
mod character;
mod limb;
mod look_at;
mod node;

use std::sync::Arc;

pub use aim::{AimState, IkAim};
pub use chain::{ChainSolver, ChainState, IkChain};
pub use character::{IkRig, LimbReport, LookReport, RigState, RigTargets};
pub use limb::{IkLimb, LimbState};
pub use look_at::{IkLookAt, LookState};
pub use node::{IkNode, Step, StepState};

use crate::{Chain, ChainRole, Error, Placement, Pose, Result, Rig, Status};

/// A character as a driver finds it this frame.
#[derive(Debug)]
pub struct Body<'a> {
    /// Its rig, once that has arrived.
    pub rig: Option<&'a Rig>,
    /// Where it stands in the world. Drivers take targets in world space and solve in the rig's own.
    pub placement: Placement,
    /// The incoming animation, which the driver changes.
    pub pose: &'a mut Pose,
}

/// Settings with what they need at run time: the resolved chain, and for a whole character the footing of its feet.
///
/// A driver resolves its chain when it first sees the rig, and again only when the rig is another; from then on a solve
/// allocates nothing.
#[derive(Debug, Clone)]
pub struct Driver<P: Settings> {
    /// The settings; to be changed at any time. A change of bones is taken up with the next solve.
    pub params: P,
    resolved: Option<Resolved<P>>,
}

#[derive(Debug, Clone)]
struct Resolved<P: Settings> {
    rig: u64,
    bones: P::Bones,
    run: Result<P::Run, Arc<Error>>,
}

/// Settings that a [`Driver`] can run. Sealed: the five of this crate are all there are.
pub trait Settings: sealed::Settings {}

impl<P: sealed::Settings> Settings for P {}

pub(crate) mod sealed {
    use crate::{Result, Rig};

    /// How settings become something to run.
    pub trait Settings: std::fmt::Debug + Clone {
        /// What the chain depends on, kept to notice a change.
        type Bones: std::fmt::Debug + Clone + PartialEq;
        /// What is resolved from the rig.
        type Run: std::fmt::Debug + Clone;

        /// Whether `bones` are still those of the settings; allocates nothing.
        fn same_bones(&self, bones: &Self::Bones) -> bool;
        /// What the chain depends on.
        fn bones(&self) -> Self::Bones;
        /// Resolves against a rig.
        fn resolve(&self, rig: &Rig) -> Result<Self::Run>;
    }
}

impl<P: Settings> Driver<P> {
    /// A driver of these settings.
    #[must_use]
    pub fn new(params: P) -> Self {
        Self { params, resolved: None }
    }

    /// The resolved run for a body, or why there is none.
    fn run<'r>(
        params: &P,
        resolved: &'r mut Option<Resolved<P>>,
        body: &Body<'_>,
    ) -> Result<&'r mut P::Run, (Status, Option<Arc<Error>>)> {
        let rig = body.rig.ok_or((Status::NoRig, None))?;
        if body.pose.len() != rig.len() {
            return Err((Status::PoseMismatch, None));
        }
        if !body.placement.is_finite() {
            return Err((Status::NotFinite, None));
        }
        let stale = |known: &Resolved<P>| known.rig != rig.fingerprint() || !params.same_bones(&known.bones);
        if resolved.as_ref().is_some_and(stale) {
            *resolved = None;
        }
        let known = resolved.get_or_insert_with(|| Resolved {
            rig: rig.fingerprint(),
            bones: params.bones(),
            run: params.resolve(rig).map_err(Arc::new),
        });
        known
            .run
            .as_mut()
            .map_err(|error| (Status::NoChain, Some(Arc::clone(error))))
    }
}

impl<P: Settings + Default> Default for Driver<P> {
    fn default() -> Self {
        Self::new(P::default())
    }
}

/// The bones a chain is named by.
type Named = (Option<ChainRole>, String, String);

fn same_names(named: &Named, role: Option<ChainRole>, root: &str, tip: &str) -> bool {
    named.0 == role && named.1 == root && named.2 == tip
}

/// A chain by its ends where they are named, and otherwise by its role. One end alone is refused: passing over a name
/// that was given would turn other bones than those asked for.
fn chain_by_name(rig: &Rig, role: Option<ChainRole>, root: &str, tip: &str) -> Result<Chain> {
    match (role, root.is_empty(), tip.is_empty()) {
        (_, false, false) => rig.chain(root, tip),
        (Some(role), true, true) => rig.chain_of(role),
        _ => Err(Error::NoChain {
            root: root.to_owned(),
            tip: tip.to_owned(),
        }),
    }
}

/// How an error is written into a state that is serialized: as its message.
#[cfg(feature = "serde")]
fn message<S: serde::Serializer>(error: &Option<Arc<Error>>, to: S) -> Result<S::Ok, S::Error> {
    match error {
        Some(error) => to.collect_str(error),
        None => to.serialize_none(),
    }
}
