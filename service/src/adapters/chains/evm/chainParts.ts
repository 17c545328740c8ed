import type { ChainNode } from './connection/createChainNode.js'
import type { Operator } from './operator.js'

/** What the parts of a chain's port share: its operator and the ways to its node. */
export type ChainParts = Operator & ChainNode
