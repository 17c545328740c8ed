import { expect, test } from 'vitest'
import { simulationLink } from '#holdings/transactions/simulationLink.js'

const chainOf = (simulationUrl: string) => ({
  'base-sepolia': { rpcUrl: undefined, confirmations: 1, nftContracts: [], tokens: [], simulationUrl },
})

test('behavior: a link of at most 8000 characters is kept, a longer one is left out', () => {
  const config = { chains: chainOf('https://simulator.example/?data={data}') }
  const linkOf = (length: number) => {
    const data = 'f'.repeat(length - 'https://simulator.example/?data='.length)
    const calls = [{ to: '0x1', value: 0n, data }]
    return simulationLink(config, { chain: 'base-sepolia', from: '0x2', calls })
  }
  expect(linkOf(8000)).toHaveLength(8000)
  expect(linkOf(8001)).toBeUndefined()
})
