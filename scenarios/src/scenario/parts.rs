//! The parts of a request by themselves: names, files and numbers that are wrong whatever they are combined with.

use std::collections::BTreeSet;

use mpi_api::collective::select::Selector;

use super::{
    Request,
    choice::{placement, unknown_choice},
};
use crate::{
    error::Error,
    json,
    machine::Machine,
    networks::{network_model, topology},
    options::{self, RankCount},
    program,
};

impl Request {
    /// Returns the machine of its name with the numbers that are changed.
    ///
    /// # Errors
    /// Returns an error if there is no such machine, or it cannot have one of the numbers.
    pub fn changed_machine(&self) -> Result<Machine, Error> {
        Machine::load_with(&self.machine, &self.catalog)?.adjusted(&self.adjustments)
    }

    /// Returns the choices of algorithms.
    ///
    /// # Errors
    /// Returns an error if one is unknown.
    pub(super) fn selector(&self) -> Result<Selector, Error> {
        let mut selector = Selector::default_choice();
        for choice in &self.collectives {
            selector.set(choice).map_err(unknown_choice)?;
        }
        Ok(selector)
    }

    /// Returns the paths of the files that describe its hardware and what disturbs it: machine, topology, network,
    /// placement, file system and noise. Its program and recorded computing are not among them.
    ///
    /// # Errors
    /// Returns an error if there is no such machine.
    pub fn input_files(&self) -> Result<BTreeSet<String>, Error> {
        let machine = Machine::load_with(&self.machine, &self.catalog)?;
        let topology = self.topology.as_ref().unwrap_or(&machine.default_topology);
        let network = self.network.as_ref().unwrap_or(&machine.default_network);
        let inside = [topology, network, &self.placement].into_iter();
        let inside = inside.filter_map(|text| Some(&text[self.catalog.path_in(text)?]));
        let named = [Some(&self.machine), self.filesystem.as_ref()].into_iter().flatten();
        let of_json = named.map(String::as_str).filter(|name| json::is_file_name(name));
        let noise = match &self.noise {
            Some(options::Noise::Trace(path)) => Some(path.as_str()),
            Some(options::Noise::Fixed(_) | options::Noise::Exponential(_)) | None => None,
        };
        Ok(inside.chain(of_json).chain(noise).map(str::to_owned).collect())
    }

    /// Checks each part that a name, a file or a number gives by itself. What passes may still not fit each
    /// other: that is for [`Request::resolve`].
    ///
    /// # Errors
    /// Returns an error if a part is unknown, cannot be read or is out of range.
    pub fn check_parts(&self) -> Result<(), Error> {
        let machine = Machine::load_with(&self.machine, &self.catalog)?;
        RankCount::new("the number of ranks", self.ranks)?;
        RankCount::new("the number of ranks on a node", self.ranks_per_node)?;
        topology(self.topology.as_ref().unwrap_or(&machine.default_topology), &self.catalog)?;
        network_model(self.network.as_ref().unwrap_or(&machine.default_network), &self.catalog)?;
        placement(&self.placement, self.seed)?;
        self.selector()?;
        self.noise.as_ref().map(options::Noise::read).transpose()?;
        if program::parameters_of(&self.program).is_empty() {
            return Ok(());
        }
        match program::find(&self.program, self.ranks, &self.parameters) {
            Err(error) if !error.is_misfit() => Err(error),
            Ok(_) | Err(_) => Ok(()),
        }
    }
}
