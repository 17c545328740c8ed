/** The settings a command is run with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a command gets its settings and puts its words: results on one side, everything else on the other. */
export type CliContext = { env: Environment; out(text: string): void; err(text: string): void }

/** Does one command, told what follows its name, and answers the exit status. */
export type Command = (args: string[], context: CliContext) => Promise<number>

/** Commands about one thing, by the word that follows its name; the empty word is no word at all. */
export type Group = {
  /** What each of them does, as the operator reads it. */
  help: string
  commands: Readonly<Record<string, Command>>
}
