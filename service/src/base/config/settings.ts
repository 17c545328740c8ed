import * as z from 'zod/mini'

/** A missing or invalid setting. The message names the variable, never its value. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** A whole number within bounds, written in digits. */
export const integer = (least: number, most: number) =>
  z.pipe(
    z.string().check(z.regex(/^\d{1,12}$/, 'expected a whole number')),
    z.pipe(
      z.transform(Number),
      z.number().check(z.gte(least, `expected ${least} or more`), z.lte(most, `expected ${most} or less`)),
    ),
  )
/** An exact number that is not negative. */
export const decimal = z.string().check(z.regex(/^\d{1,20}(\.\d{1,20})?$/, 'expected a decimal number'))
/** An http or https URL. */
export const httpUrl = z.url({ protocol: /^https?$/, error: 'expected an http or https URL' })
/** A WebSocket URL. */
export const webSocketUrl = z.url({ protocol: /^wss?$/, error: 'expected a ws or wss URL' })
/** One of several words. */
export const choice = <const Member extends string>(...members: Member[]) =>
  z.enum(members, `expected ${members.join(' or ')}`)
/** A boolean. */
export const flag = z.pipe(
  choice('0', '1', 'false', 'true'),
  z.transform((text) => text === '1' || text === 'true'),
)
/** 32 bytes in hex digits, after a prefix. */
export const hex32 = (prefix: string) =>
  z
    .string()
    .check(z.regex(new RegExp(`^${prefix}[0-9a-fA-F]{64}$`), `expected ${prefix && '0x and '}64 hex digits`))

/** A list, separated by commas. */
export const listOf = (item: z.ZodMiniType<string, string>) =>
  z.pipe(
    z.pipe(
      z.string(),
      z.transform((text) =>
        text
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ),
    z.array(item),
  )

/**
 * Parses a setting by its schema.
 *
 * @throws {@link ConfigError} naming the variable, never its value.
 */
export const readSetting = <Output>(
  schema: z.ZodMiniType<Output>,
  variable: string,
  value: unknown,
): Output => {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new ConfigError(`${[variable, ...(issue?.path ?? [])].filter(Boolean).join('.')}: ${issue?.message}`)
}
