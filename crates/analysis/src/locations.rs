//! Locations: the parts of memory that instructions read and write.
//!
//! A location is an object with, as far as they are known, the bytes of it and the parts of structs that its address
//! names. Two locations are apart if their objects are, or their bytes are, or they name different parts of the same
//! struct type. The last rule takes for granted that two structs of one type are the same memory or do not overlap,
//! which a program would have to break on purpose.

use crate::address::View;
use crate::id::{LocationId, ObjectId};
use crate::points_to::{OUTSIDE, PointsTo};
use fixedbitset::FixedBitSet;
use ir::id::{Id, Interner};
use rustc_hash::FxHashMap;

/// A part of memory.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Object.
    pub object: ObjectId,
    /// First byte and the one behind the last one; `None` if they may be any.
    pub bytes: Option<(i64, i64)>,
    /// Parts of structs that the address names, all at once.
    pub views: Box<[View]>,
}

/// All locations of a module.
pub type Locations = Interner<LocationId, Location>;

impl Location {
    /// All of an object.
    pub fn whole(object: ObjectId) -> Location {
        Location { object, bytes: None, views: Box::new([]) }
    }

    /// Whether two locations may share a byte.
    pub fn may_overlap(&self, other: &Location, points_to: &PointsTo) -> bool {
        if !points_to.may_be_same(self.object, other.object) {
            return false;
        }
        let apart = |a: (i64, i64), b: (i64, i64)| a.1 <= b.0 || b.1 <= a.0;
        if let (true, Some(a), Some(b)) = (self.object == other.object, self.bytes, other.bytes)
            && apart(a, b)
        {
            return false;
        }
        let range = |view: &View| (view.start, view.end);
        !self.views.iter().any(|a| other.views.iter().any(|b| a.ty == b.ty && apart(range(a), range(b))))
    }

    /// Whether all bytes of `other` are among this one's.
    pub fn covers(&self, other: &Location) -> bool {
        let inside = |a: (i64, i64), b: (i64, i64)| a.0 <= b.0 && b.1 <= a.1;
        self.object == other.object && self.bytes.zip(other.bytes).is_some_and(|(a, b)| inside(a, b))
    }
}

/// Which locations may share a byte with which.
#[derive(Clone, Debug)]
pub struct Overlaps {
    /// For each location those that it may overlap, itself too.
    rows: Vec<FixedBitSet>,
}

impl Overlaps {
    /// Compares all locations.
    pub fn new(locations: &Locations, points_to: &PointsTo) -> Overlaps {
        let count = locations.len();
        let mut by_object: FxHashMap<ObjectId, Vec<LocationId>> = FxHashMap::default();
        let mut exposed = Vec::new();
        for (id, location) in locations.iter_ids() {
            by_object.entry(location.object).or_default().push(id);
            if location.object != OUTSIDE && points_to.objects[location.object].escapes {
                exposed.push(id);
            }
        }
        let outside = by_object.get(&OUTSIDE).cloned().unwrap_or_default();
        let mut rows = vec![FixedBitSet::with_capacity(count); count];
        for (id, location) in locations.iter_ids() {
            let same = by_object.get(&location.object).into_iter().flatten();
            let foreign = match location.object == OUTSIDE {
                true => &exposed,
                false if points_to.objects[location.object].escapes => &outside,
                false => &Vec::new(),
            };
            for &other in same.chain(foreign).filter(|&&other| other >= id) {
                if location.may_overlap(&locations[other], points_to) {
                    rows[id.index()].insert(other.index());
                    rows[other.index()].insert(id.index());
                }
            }
        }
        Overlaps { rows }
    }

    /// The locations that one may overlap, itself too.
    pub fn of(&self, location: LocationId) -> &FixedBitSet {
        &self.rows[location.index()]
    }

    /// The locations that any of these may overlap.
    pub fn of_all(&self, locations: impl IntoIterator<Item = LocationId>) -> FixedBitSet {
        let mut all = FixedBitSet::with_capacity(self.rows.len());
        locations.into_iter().for_each(|location| all.union_with(self.of(location)));
        all
    }

    /// Whether a location may overlap one of a set.
    pub fn any(&self, location: LocationId, set: &FixedBitSet) -> bool {
        !self.of(location).is_disjoint(set)
    }
}
