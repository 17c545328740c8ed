import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { artifacts, compileContracts, sources } from '../contracts.mjs'

/** Never deployed, or of test networks only: they guard nothing. */
const unguarded = [
  'Balances.sol',
  'CallSequence.sol',
  'PasskeyVerifier.sol',
  'TestPermitToken.sol',
  'TestToken.sol',
  'TestUsdc.sol',
  'TokenReads.sol',
]

const tests = ['service/test/contracts/strangers.test.ts', 'service/test/contracts/guards.test.ts']

/**
 * Which of the tests, by their titles, are about a contract: those of all others are spared.
 * @type {Record<string, string>}
 */
const titles = {
  'Collection.sol': 'collection, |Collection721|Collection1155|Subscription721',
  'Collection1155.sol': 'collection, copies|Collection1155',
  'Collection721.sol': 'collection, (single|subscription)|Collection721|Subscription721',
  'Deposit.sol': 'Deposit',
  'Subscription721.sol': 'collection, subscription|Subscription721',
  'WalletFactory.sol': 'WalletFactory|SmartWallet',
}

/** Each other comparison lets one value more, or one less, pass. */
const boundaries = /** @type {const} */ ([
  ['<=', '<'],
  ['<', '<='],
  ['>=', '>'],
  ['>', '>='],
  ['&&', '||'],
  ['||', '&&'],
])

/** Statements that guards rest on: what is checked later is written here, or a check is called. */
const kept =
  /^\s*(?:(?:_disableInitializers|_requireOwned)\(.*\)|[\w.]+\[.*\] [-+]?= .*|(?:\+\+)?[\w.]+(?: [-+]= .*)?|(?:_minted|supplyLimit|revision|minter|_transferable|royaltyBasisPoints) = .*);\s*$/

/**
 * Every way to break a guard in one line of a contract: a refusal is left out, a comparison lets one value more or
 * less pass, a connective is the other one, a modifier is dropped, a statement that a guard rests on is left out, an
 * answer is turned around. An empty block stands for what is left out.
 * @param {string} line
 * @returns {string[]}
 */
const changesOf = (line) => {
  const code = line.replace(/\/\/.*$/, '')
  if (/^\s*(\*|\/\*|_;|import|using|pragma|error|event|for \(|modifier|type|struct|interface)/.test(code))
    return []
  const changes = []
  if (/\brevert [^;]*;/.test(code)) changes.push(code.replace(/\brevert [^;]*;/, '{}'))
  // One unit of gas more or less is nothing that a caller could notice.
  if (/\bif \(|\bis[A-Z]\w* = |\breturn .*(?:&&|\|\|)/.test(code) && !/gasleft\(\)/.test(code)) {
    for (const [from, to] of boundaries) {
      const parts = code.split(` ${from} `)
      for (let at = 1; at < parts.length; at++) {
        changes.push(`${parts.slice(0, at).join(` ${from} `)} ${to} ${parts.slice(at).join(` ${from} `)}`)
      }
    }
  }
  for (const [modifier] of code.matchAll(/ (onlyOwner|onlyMinter|withoutPayment|initializer)(?=\s|$)/g)) {
    changes.push(code.replace(modifier, ''))
  }
  if (kept.test(code)) changes.push(code.replace(/\S.*$/, '{}'))
  if (/\bis(?:Signed|Increment|Received)\b.* (?:==|!=) /.test(code)) {
    changes.push(code.replace(/ (==|!=) /, (all) => (all === ' == ' ? ' != ' : ' == ')))
  }
  if (/\breturn (true|false);/.test(code)) {
    changes.push(
      code.replace(/\breturn (true|false);/, (all) =>
        all.includes('true') ? 'return false;' : 'return true;',
      ),
    )
  }
  return changes
}

/**
 * Makes one mutant per guard, comparison and statement of the contracts.
 * @returns {import('./mutants.mjs').Mutant[]}
 */
export const contractMutants = () =>
  readdirSync(sources)
    .filter((file) => file.endsWith('.sol') && !unguarded.includes(file))
    .flatMap((file) => {
      const lines = readFileSync(join(sources, file), 'utf8').split('\n')
      return lines.flatMap((line, at) =>
        changesOf(line).map((changed) => ({
          file: `service/contracts/${file}`,
          line: at + 1,
          before: line.trim(),
          after: changed.trim(),
          tests: [...tests, '--testNamePattern', titles[file] ?? file.replace('.sol', '')],
          load: () => {
            try {
              const text = lines.with(at, changed).join('\n')
              const compiled = Object.entries(compileContracts({ [file]: text }))
              return Object.fromEntries(compiled.map(([name, module]) => [join(artifacts, name), module]))
            } catch {
              // It does not compile, so that no such contract can exist.
              return undefined
            }
          },
        })),
      )
    })
