import type { ReactNode } from 'react'

/** A fact of a list; one without a value is left out. */
export type Fact = [name: string, value: ReactNode]

/** Renders a `<dl>`. */
export const Facts = ({ of, isStacked = false }: { of: Fact[]; isStacked?: boolean }) => (
  <dl className="facts" data-stacked={isStacked || undefined}>
    {of
      .filter(([, value]) => value !== undefined && value !== false && value !== '')
      .map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
)
