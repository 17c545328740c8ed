import type { CollectionDeps } from '#base/deps.js'

/** The settings of a command. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Where a command writes its results, and everything else. */
export type CliOutput = { out(text: string): void; err(text: string): void }

/** The resources that a running service lends to commands it runs for others. */
export type RunningService = CollectionDeps

/** The settings and resources of a command. Without a running service, it opens them on demand. */
export type CliContext = CliOutput & { env: Environment; service?: RunningService }

/** Runs one command with the arguments after its name, and returns the exit status. */
export type Command = (args: string[], context: CliContext) => Promise<number>

/** Commands on one subject, by the word after its name. The empty string stands for no word. */
export type Group = {
  /** The help text of the commands. */
  help: string
  commands: Readonly<Record<string, Command>>
  /** Replaces arguments that only the operator's own process can read, such as paths of files. */
  prepare?(args: readonly string[]): Promise<string[]>
  /** Whether a command needs no database. */
  isWithoutDatabase?(word: string): boolean
}
