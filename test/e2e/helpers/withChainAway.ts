import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Does something while a local chain's node answers nobody, as one behind a broken line; it goes on after. */
export const withChainAway = async <Result>(
  dataDir: string,
  chain: string,
  work: () => Promise<Result>,
): Promise<Result> => {
  const [, holder] = readFileSync(join(dataDir, 'service/chains', `${chain}.pid`), 'utf8').split('\n')
  const pid = Number(holder?.split(' ')[0])
  if (!pid) throw new Error(`the node of ${chain} was not found`)
  process.kill(pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(pid, 'SIGCONT')
  }
}
