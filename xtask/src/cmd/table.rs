//! `table`: the tables and the numbers of a run, in the form that a document takes.

use std::io::Write;
use std::path::Path;

use lab::data::Data;
use lab::files;
use lab::numbers::{self, Number};
use lab::tables::{Form, Kind};

use super::again;
use crate::cli;
use crate::output::{Done, Failure, absolute, failed};

/// The folder of a run's tables.
pub const FOLDER: &str = "tables";

/// Prints the tables that are asked for, or writes them into a folder.
pub fn run(arguments: &cli::Table, out: &mut dyn Write) -> Done {
    let run = again::run_or_newest(arguments.run.as_deref())?;
    let (data, baseline) = again::read(&run, arguments.baseline.as_deref())?;
    let form = arguments.format.form();
    let mut written = Vec::new();
    for name in &arguments.names {
        written.push((name.as_str(), text(name, form, &data, &baseline)?));
    }
    let Some(folder) = &arguments.out else {
        for (place, (_, text)) in written.iter().enumerate() {
            write!(out, "{}{text}", if place > 0 { "\n" } else { "" })?;
        }
        return Ok(());
    };
    files::make_folder(folder).map_err(failed)?;
    for (name, text) in written {
        let path = folder.join(format!("{name}.{}", form.ending()));
        files::write(&path, text.as_bytes()).map_err(failed)?;
        writeln!(out, "{}", absolute(&path))?;
    }
    Ok(())
}

fn text(name: &str, form: Form, data: &Data, baseline: &str) -> Result<String, Failure> {
    if name == numbers::FILE {
        return Ok(of_numbers(&numbers::all(data, baseline), form));
    }
    let kind: Kind = name.parse().map_err(Failure::Usage)?;
    let table = kind.table(data, baseline);
    let table =
        table.ok_or_else(|| failed(format!("the run has no value for the table '{name}'")))?;
    Ok(table.write(form))
}

fn of_numbers(all: &[Number], form: Form) -> String {
    match form {
        Form::Latex => numbers::latex(all),
        Form::Typst => numbers::typst(all),
        form => numbers::table(all).write(form),
    }
}

/// Writes every table of a run in every form, and the numbers, into a folder of the run.
pub fn write_all(data: &Data, baseline: &str, run: &Path) -> Result<(), Failure> {
    let folder = run.join(FOLDER);
    files::make_folder(&folder).map_err(failed)?;
    let write = |name: &str, form: Form, text: Option<String>| {
        let path = folder.join(format!("{name}.{}", form.ending()));
        match text {
            Some(text) => files::write(&path, text.as_bytes()),
            None if path.exists() => std::fs::remove_file(&path)
                .map_err(|error| format!("cannot remove {}: {error}", path.display())),
            None => Ok(()),
        }
    };
    for kind in Kind::ALL {
        let table = kind.table(data, baseline);
        for form in Form::ALL {
            let text = table.as_ref().map(|table| table.write(form));
            write(kind.name(), form, text).map_err(failed)?;
        }
    }
    let all = numbers::all(data, baseline);
    for form in [Form::Latex, Form::Typst, Form::Csv] {
        write(numbers::FILE, form, Some(of_numbers(&all, form))).map_err(failed)?;
    }
    Ok(())
}
