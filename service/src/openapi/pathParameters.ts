import { ChosenId, userKinds, walletTypes } from 'kassa/schema'
import { type Components, type JsonSchema, toJsonSchema } from './toJsonSchema.js'

const uuid: JsonSchema = { type: 'string', format: 'uuid' }

const address = '(0x[0-9a-fA-F]{40}|[1-9A-HJ-NP-Za-km-z]{32,44})'
const chain = '[a-z][a-z0-9-]*'
const user = `(${userKinds.join('|')}):.+`
const someAddress = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

/** Parameters that are neither a UUID of the service nor an id that a caller chose. */
const locators: Readonly<Record<string, JsonSchema>> = {
  walletLocator: {
    description:
      'Which wallet: its address, or a user and the type of wallet: `email:<email>:<walletType>`, `userId:<userId>:<walletType>`, `phoneNumber:<phoneNumber>:<walletType>`, `twitter:<handle>:<walletType>` or `x:<handle>:<walletType>`. Encoded as a part of a path',
    type: 'string',
    pattern: `^(${address}|${user}:(${walletTypes.join('|')}))$`,
    examples: [someAddress, 'email:ada@example.com:evm-smart-wallet', 'userId:42:evm-mpc-wallet'],
  },
  identifier: {
    description:
      'Whose tokens: `<chain>:<address>`, or those of a user: `email:<email>:<chain>`, `userId:<userId>:<chain>`. Encoded as a part of a path',
    type: 'string',
    pattern: `^(${chain}:${address}|${user}:${chain})$`,
    examples: [`base-sepolia:${someAddress}`, 'email:ada@example.com:base-sepolia'],
  },
  nftLocator: {
    description: 'Which token: `<chain>:<contractAddress>:<tokenId>`',
    type: 'string',
    pattern: `^${chain}:${address}:(0|[1-9]\\d{0,77})$`,
    examples: [`base-sepolia:${someAddress}:7`],
  },
}

/** Ids that a caller chooses; those that are no locators either are UUIDs of the service. */
const chosenIds: readonly string[] = ['collectionId', 'nftId']

/** What a parameter in a path looks like, by its name. */
export const pathParameter = (name: string, components: Components): JsonSchema =>
  chosenIds.includes(name) ? toJsonSchema(ChosenId, 'input', components) : (locators[name] ?? uuid)
