import type { ReactElement, ReactNode } from 'react'

/** Renders a heading and a `<dl>` of the known values. Unknown values are left out. */
export const Rows = (props: {
  title: string
  rows: readonly (readonly [string, ReactNode])[]
}): ReactElement => (
  <section className="section">
    <h3>{props.title}</h3>
    <dl className="rows">
      {props.rows
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  </section>
)
