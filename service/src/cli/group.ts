import type { Deps } from '../deps.js'

/** The settings a command is run with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a command puts its words: results on one side, everything else on the other. */
export type CliOutput = { out(text: string): void; err(text: string): void }

/** What a service that runs lends to the commands that are handed to it: all that it has open. */
export type RunningService = Pick<Deps, 'chains' | 'config' | 'db' | 'jobs' | 'vault'>

/** Where a command gets its settings and what it works on; without a service it opens that itself. */
export type CliContext = CliOutput & { env: Environment; service?: RunningService }

/** Does one command, told what follows its name, and answers the exit status. */
export type Command = (args: string[], context: CliContext) => Promise<number>

/** Commands about one thing, by the word that follows its name; the empty word is no word at all. */
export type Group = {
  /** What each of them does, as the operator reads it. */
  help: string
  commands: Readonly<Record<string, Command>>
  /** Those that ask nothing of the database. */
  isWithoutDatabase?(word: string): boolean
}
