import { parseUserLocator } from 'kassa/schema'

/** Whether a text is an e-mail address that the service keeps a wallet for. */
export const isEmail = (text: string): boolean => parseUserLocator(`email:${text}`) !== undefined
