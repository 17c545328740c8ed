import { defineConfig } from 'drizzle-kit'

export default defineConfig({
  dialect: 'postgresql',
  schema: './src/base/db/tables/index.ts',
  out: './src/base/db/migrations',
})
