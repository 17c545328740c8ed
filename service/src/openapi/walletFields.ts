import {
  ApproveTransactionBody,
  CreateTransactionBody,
  CreateWalletBody,
  FundBody,
  fields,
} from 'kassa/schema'
import { BalanceQuery } from '../routes/balances.js'
import { describeFields, type FieldNote } from './describeFields.js'

const signerType: FieldNote = { description: 'The kind of signer' }
const chain: FieldNote = {
  description: 'A chain that this deployment has enabled',
  examples: ['base-sepolia'],
}
const base64url = 'in base64url, as the browser returns it'
const wei = (what: string): FieldNote => ({
  description: `${what}, in wei, as a decimal integer`,
  examples: ['0'],
})

describeFields(CreateWalletBody, {
  type: 'Who holds the key: the admin signer alone (smart wallets), or the service. Those on Solana are refused where no Solana chain is enabled',
  config: 'The configuration of a smart wallet',
  'config.adminSigner': 'The signer that controls a smart wallet. By default the service, as custodian',
  linkedUser: {
    description:
      'The owner: `email:<email>`, `userId:<id>`, `phoneNumber:<number>`, `twitter:<handle>` or `x:<handle>`. A user has one wallet of a type',
    examples: ['email:ada@example.com', 'userId:42'],
    pattern: '^(email|userId|phoneNumber|twitter|x):.+$',
  },
})

const locator = 'As the answer shows it; optional'

describeFields(fields.KeypairSignerInput, { type: signerType, address: 'The account that signs', locator })

describeFields(fields.PasskeySignerInput, {
  type: signerType,
  id: `The id of the credential, ${base64url}`,
  publicKey: 'The point of its P-256 key. The answer uses the same notation',
  'publicKey.x': '256 bits, `0x` and hex digits or a decimal integer',
  'publicKey.y': '256 bits, `0x` and hex digits or a decimal integer',
  name: 'The name that its user gave it',
  locator,
})

describeFields(fields.CustodialSignerInput, {
  type: signerType,
  address: 'The address of a wallet that its user already has. The service creates the key of a new one',
  locator,
})

describeFields(CreateTransactionBody, {
  params: 'The calls. The wallet’s type determines the form',
})

describeFields(fields.EvmSmartWalletParams, {
  calls: 'Executed in this order, all or none',
  chain,
  signer:
    'Locator of the signer that approves it, with or without the prefix `evm-keypair:`. By default the wallet’s admin signer',
})

describeFields(fields.EvmMpcWalletParams, { call: 'The call of the account', chain })

describeFields(fields.ContractCall, {
  address: 'The contract',
  functionName: { description: 'One of the functions of `abi`', examples: ['transfer'] },
  abi: 'The contract’s ABI as compilers write it: at least that function, and the errors that it may revert with',
  args: 'The arguments in the order of the function’s inputs. Integers that a JSON number cannot represent are decimal strings',
  value: wei('The amount to send; 0 by default'),
})

describeFields(fields.DirectCall, {
  to: 'The address to call or pay',
  value: wei('The amount to send'),
  data: 'The encoded call',
})

describeFields(fields.SerializedCall, {
  transaction:
    'A serialized transaction, such as that of an order’s `preparation`. Its recipient, value and data are used; its fees and nonce are ignored',
})

for (const params of [fields.SolanaSmartWalletParams, fields.SolanaMpcWalletParams]) {
  describeFields(params, { transaction: 'The serialized transaction, in base58' })
}
describeFields(fields.SolanaMpcWalletParams, { requiredSigners: 'Locators of the other signers' })

describeFields(ApproveTransactionBody, { approvals: 'The signatures' })

describeFields(fields.KeypairApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it; the prefix `evm-keypair:` is accepted',
  signature: 'The 65 bytes of `personal_sign` (EIP-191) over the bytes of the message',
})

describeFields(fields.PasskeyApproval, {
  signer: 'Locator of the signer, as `approvals.pending` has it',
  signature: 'A P-256 signature with either of the two possible values of `s`. The lower one is sent',
  'signature.r': '256 bits, `0x` and hex digits or a decimal integer',
  'signature.s': '256 bits, `0x` and hex digits or a decimal integer',
  metadata:
    'The data that the authenticator signed, with the message as its challenge and with user verification',
  'metadata.authenticatorData': 'Bytes in hex',
  'metadata.clientDataJSON': 'The text itself',
  'metadata.challengeIndex': 'The index of `"challenge"` in `clientDataJSON`',
  'metadata.typeIndex': 'The index of `"type"` in `clientDataJSON`',
  'metadata.userVerificationRequired': 'Always required, even if it is false',
})

describeFields(FundBody, {
  amount: { description: 'In whole tokens, with at most 6 decimals', examples: [10, 2.5] },
  token: 'The test token',
  chain: 'A chain that this deployment has enabled and on which it has the token',
})

describeFields(BalanceQuery, {
  tokens: { description: 'Names separated by commas', examples: ['eth,usdc'] },
  chains: { description: 'Names separated by commas', examples: ['base-sepolia'] },
})
