//! Any SMT-LIB 2 solver as a child process: a third opinion, and a door for solvers that we do not link.
//!
//! Nothing that the process does or leaves undone blocks us: threads write to it and read from it, and a question ends at
//! its deadline even if the process neither reads nor writes.

use crate::bits::Bits;
use crate::eval::Model;
use crate::expr::Expr;
use crate::pool::Pool;
use crate::smtlib::{Script, script, symbol_name, term};
use crate::solver::{Answer, Limits, Reason, Solver};
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::time::{Duration, Instant};

/// A solver program and how to start it.
pub struct ProcessSolver {
    command: Vec<String>,
    timeout: Duration,
    running: Option<Running>,
}

struct Running {
    child: Child,
    input: Sender<String>,
    lines: Receiver<String>,
}

/// The longest line that is read, and how many are kept until they are looked at.
const MAX_LINE: u64 = 1 << 20;
const MAX_LINES: usize = 256;

impl Drop for Running {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl ProcessSolver {
    /// A solver that reads SMT-LIB 2 from standard input, such as `["z3", "-in"]`; each question may take `timeout`.
    pub fn new(command: Vec<String>, timeout: Duration) -> ProcessSolver {
        ProcessSolver { command, timeout, running: None }
    }

    fn start(&mut self) -> Option<&mut Running> {
        if self.running.is_none() {
            let (program, args) = self.command.split_first()?;
            let mut child = Command::new(program)
                .args(args)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()?;
            let (input, output) = (child.stdin.take()?, child.stdout.take()?);
            let (sender, lines) = sync_channel(MAX_LINES);
            std::thread::spawn(move || read_lines(output, &sender));
            let (sender, texts) = channel();
            std::thread::spawn(move || write_texts(input, &texts));
            let running = Running { child, input: sender, lines };
            running.input.send("(set-option :produce-models true)\n(set-logic ALL)\n".to_string()).ok()?;
            self.running = Some(running);
        }
        self.running.as_mut()
    }

    fn ask(&mut self, pool: &Pool, constraints: &[Expr], timeout: Duration) -> Option<Answer> {
        let deadline = Instant::now() + timeout;
        let script = script(pool, constraints);
        let running = self.start()?;
        let question = format!("(push 1)\n{}(check-sat)\n", script.text);
        running.input.send(question).ok()?;
        let answer = match next_line(running, deadline)?.as_str() {
            "sat" => Answer::Sat(model(pool, &script, running, deadline)?),
            "unsat" => Answer::Unsat,
            "unknown" => Answer::Unknown(Reason::Limit),
            _ => return None,
        };
        running.input.send("(pop 1)\n".to_string()).ok()?;
        Some(answer)
    }
}

impl Solver for ProcessSolver {
    fn check(&mut self, pool: &Pool, constraints: &[Expr], limits: Limits) -> Answer {
        let start = Instant::now();
        let timeout = limits.left().map_or(self.timeout, |left| left.min(self.timeout));
        match self.ask(pool, constraints, timeout) {
            Some(answer) => answer,
            None => {
                // Whatever state it is in, the next question gets a new process.
                self.running = None;
                let late = start.elapsed() >= timeout;
                Answer::Unknown(if late { Reason::Limit } else { Reason::Failed })
            }
        }
    }

    fn name(&self) -> &'static str {
        "process"
    }
}

/// Passes lines on until nobody wants them, there are no more, or one is too long.
fn read_lines(output: ChildStdout, to: &SyncSender<String>) {
    let mut output = BufReader::new(output);
    loop {
        let mut line = Vec::new();
        match output.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(1..) if line.pop() == Some(b'\n') => {}
            _ => return,
        }
        let Ok(line) = String::from_utf8(line) else { return };
        if to.send(line).is_err() {
            return;
        }
    }
}

/// Writes until there is nothing more to come, or the process does not want it.
fn write_texts(mut input: ChildStdin, texts: &Receiver<String>) {
    for text in texts {
        if input.write_all(text.as_bytes()).and_then(|()| input.flush()).is_err() {
            return;
        }
    }
}

fn next_line(running: &Running, deadline: Instant) -> Option<String> {
    running.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())).ok()
}

/// Asks for the values of everything that the script has.
fn model(pool: &Pool, script: &Script, running: &mut Running, deadline: Instant) -> Option<Model> {
    let mut model = Model::default();
    let mut wanted: Vec<String> = script.symbols.iter().map(|&symbol| symbol_name(symbol)).collect();
    for (_, index, element) in &script.reads {
        wanted.extend([term(pool, *index), element.clone()]);
    }
    for (_, args, id) in &script.calls {
        wanted.extend(args.iter().map(|&arg| term(pool, arg)));
        wanted.push(term(pool, Expr::Term(*id)));
    }
    let values = values(&wanted, running, deadline)?;
    let mut values = values.into_iter();
    for &symbol in &script.symbols {
        model.set(symbol, &values.next()?);
    }
    for (symbol, ..) in &script.reads {
        let (index, element) = (values.next()?, values.next()?);
        model.arrays.entry(*symbol).or_default().insert(index.low(), element);
    }
    for (function, args, _) in &script.calls {
        let key: Option<Vec<Bits>> = args.iter().map(|_| values.next()).collect();
        model.functions.entry(*function).or_default().insert(key?, values.next()?);
    }
    Some(model)
}

/// The values of terms, in order.
fn values(wanted: &[String], running: &mut Running, deadline: Instant) -> Option<Vec<Bits>> {
    if wanted.is_empty() {
        return Some(Vec::new());
    }
    // Each value is asked for alone, so that answers need no parser for terms.
    let mut question = String::new();
    for term in wanted {
        let _ = writeln!(question, "(get-value ({term}))\n(echo \"next\")");
    }
    running.input.send(question).ok()?;
    wanted
        .iter()
        .map(|_| {
            let mut answer = String::new();
            loop {
                let line = next_line(running, deadline)?;
                if line.trim_matches('"') == "next" {
                    return literal(&answer);
                }
                answer.push_str(&line);
                answer.push(' ');
            }
        })
        .collect()
}

/// The bit-vector that an answer `((term #x2a))` ends with.
fn literal(answer: &str) -> Option<Bits> {
    let text = answer.trim().trim_end_matches(')').trim_end();
    let word = text.rsplit(|c: char| c.is_whitespace() || c == '(').next()?;
    let (digits, step) = match word.strip_prefix("#x") {
        Some(digits) => (digits, 4),
        None => (word.strip_prefix("#b")?, 1),
    };
    let mut bits = Bits::zero(digits.len() as u32 * step);
    for digit in digits.chars() {
        let value = digit.to_digit(1 << step)?;
        bits = bits.shl(step);
        bits.words[0] |= u64::from(value);
    }
    Some(bits)
}
