import { SQL } from 'drizzle-orm'

/** A statement whose text was built before, with its values: drizzle need not put it together for each call. */
export class BuiltQuery extends SQL {
  readonly #text: string
  readonly #values: readonly unknown[]

  constructor(text: string, values: readonly unknown[]) {
    super([])
    this.#text = text
    this.#values = values
  }

  override toQuery() {
    return { sql: this.#text, params: [...this.#values] }
  }
}
