import { parseUserLocator } from 'kassa/schema'

/** Whether a text is an e-mail address for which the service can keep a wallet. */
export const isEmail = (text: string): boolean => parseUserLocator(`email:${text}`) !== undefined
