import type { CodeBlock } from './documents.js'
import { readPackage } from './documents.js'
import { readSource } from './sources.js'

/**
 * Which test runs what a document tells to type: the whole command, the test, and what both that test and the
 * command's own script call. A test that calls a document by its name reads the commands there and runs them.
 */
export const commandTests: readonly { command: RegExp; test: string; calls: string }[] = [
  { command: /^npm start$/, test: 'test/e2e/purchase.test.ts', calls: 'startStack(' },
  { command: /^npm run purchase$/, test: 'test/e2e/purchase.test.ts', calls: 'startStack(' },
  { command: /^npm run purchase -- solana$/, test: 'test/e2e/solanaPurchase.test.ts', calls: 'startStack(' },
  { command: /^npm run pack$/, test: 'test/e2e/packed.test.ts', calls: 'pack(' },
  {
    command: /^npm run kassa -- webhooks create --project sandbox --url \S+ --types all$/,
    test: 'test/e2e/commands.test.ts',
    calls: 'service/dist/bin.js',
  },
  {
    command: /^(npx )?kassa-service (?!sandbox\b)\w/,
    test: 'test/operatorCommands.test.ts',
    calls: 'readOperatorCommands(',
  },
  { command: /^curl .*"\$API\/collections\//, test: 'test/e2e/documents.test.ts', calls: 'docs/minting.md' },
]

/** Commands of a block of shell: comments and the setting of variables are none, and a line may go on below. */
export const readCommands = ({ code }: Pick<CodeBlock, 'code'>): string[] =>
  code
    .replace(/\s*\\\n\s*/g, ' ')
    .replace(/'[^']*'/g, (quoted) => quoted.replace(/\n\s*/g, ' '))
    .split('\n')
    .map((line) => line.replace(/(^|\s)#.*$/, '').trim())
    .filter((line) => line !== '' && !/^\w+=\S*$/.test(line))

/** The text of the script that a command of npm starts; nothing for any other command. */
const readScript = (command: string): string | undefined => {
  const name = /^npm (?:run )?([\w:-]+)/.exec(command)?.[1]
  // What comes before only makes the clone ready.
  const file = /\bnode (\S+)[^&]*$/.exec(readPackage().scripts[name ?? ''] ?? '')?.[1]
  return file === undefined ? undefined : readSource(file)
}

/** Commands that no test runs, and rows of the table that name a test which does not. */
export const findUntested = (
  blocks: readonly CodeBlock[],
  rows: typeof commandTests = commandTests,
): string[] =>
  blocks
    .filter(({ language, mark }) => language === 'sh' && mark !== 'on your machine')
    .flatMap((block) =>
      readCommands(block).flatMap((command) => {
        const where = `${block.file}:${block.line}: ${command}`
        const row = rows.find((other) => other.command.test(command))
        if (!row) return [where]
        const texts = [readSource(row.test), readScript(command)]
        return texts.every((text) => text === undefined || text.includes(row.calls))
          ? []
          : [`${where} (${row.test})`]
      }),
    )
