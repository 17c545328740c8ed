import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { compileContracts, sources } from '../../../scripts/contracts.mjs'

/** How a token takes its fee of one percent. In the first event of a transfer it says what it takes, or what is left. */
const transfers = {
  gross: `
        super._update(from, to, value);
        if (from != address(0)) super._update(to, address(0xfee), value / 100);`,
  net: `
        uint256 fee = from == address(0) ? 0 : value / 100;
        super._update(from, to, value - fee);
        if (fee > 0) super._update(from, address(0xfee), fee);`,
}

/** Compiles the test token with a fee on each transfer, and returns the code that creates it. */
export const compileFeeToken = (says: keyof typeof transfers): Hex => {
  const plain = readFileSync(join(sources, 'TestToken.sol'), 'utf8')
  const update = `
    function _update(address from, address to, uint256 value) internal override {${transfers[says]}
    }
}
`
  const { 'TestToken.ts': text = '' } = compileContracts({
    'TestToken.sol': plain.replace(/\}\s*$/, update),
  }) as Record<string, string>
  const [, bytecode] = /bytecode: '(0x[0-9a-f]+)'/.exec(text) ?? []
  if (!bytecode) throw new Error('the token was not compiled')
  return bytecode as Hex
}
