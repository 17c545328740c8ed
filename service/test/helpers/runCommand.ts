import { runCli } from '../../src/cli/runCli.js'

/** Runs the command line in this process, and returns its output. */
export const runCommand = async (env: Record<string, string>, ...args: string[]) => {
  const said = { status: -1, out: '', err: '' }
  said.status = await runCli(args, {
    env,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return said
}
