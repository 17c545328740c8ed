import { runCli } from '#entry/cli/runCli.js'

/** Where a command runs: with the settings of an environment, or in a service that is open. */
type Place = Pick<Parameters<typeof runCli>[1], 'env' | 'service'>

/** Runs the command line in this process, and returns its output. */
export const runIn = async (place: Place, args: readonly string[]) => {
  const said = { status: -1, out: '', err: '' }
  said.status = await runCli([...args], {
    ...place,
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
  })
  return said
}

/** Runs the command line with the settings of an environment. */
export const runCommand = (env: Record<string, string>, ...args: string[]) => runIn({ env }, args)
