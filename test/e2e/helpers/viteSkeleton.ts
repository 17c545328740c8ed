import type { Skeleton } from './strangersApp.js'

const linting = {
  noUnusedLocals: true,
  noUnusedParameters: true,
  erasableSyntaxOnly: true,
  noFallthroughCasesInSwitch: true,
}
const bundling = {
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
  moduleDetection: 'force',
  noEmit: true,
}

/**
 * What `create-vite` 9.3.0 makes with its template `react-ts`, without its pictures, its linter and what the guide
 * replaces.
 */
export const viteSkeleton: Skeleton = {
  command: 'npm create vite@latest my-shop -- --template react-ts --no-interactive',
  manifest: {
    type: 'module',
    scripts: { dev: 'vite', build: 'tsc -b && vite build', preview: 'vite preview' },
    dependencies: { react: '19.3.1', 'react-dom': '19.3.1' },
    devDependencies: {
      '@types/node': '24.19.2',
      '@types/react': '19.3.0',
      '@types/react-dom': '19.3.0',
      '@vitejs/plugin-react': '6.3.0',
      typescript: '7.0.2',
      vite: '8.3.8',
    },
  },
  files: {
    'index.html': `<!doctype html>
<html lang="en">
  <head>
    <meta charset="UTF-8" />
    <link rel="icon" href="data:," />
    <meta name="viewport" content="width=device-width, initial-scale=1.0" />
    <title>my-shop</title>
  </head>
  <body>
    <div id="root"></div>
    <script type="module" src="/src/main.tsx"></script>
  </body>
</html>
`,
    'vite.config.ts': `import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

// https://vite.dev/config/
export default defineConfig({
  plugins: [react()],
})
`,
    'tsconfig.json': JSON.stringify({
      files: [],
      references: [{ path: './tsconfig.app.json' }, { path: './tsconfig.node.json' }],
    }),
    'tsconfig.app.json': JSON.stringify({
      compilerOptions: {
        tsBuildInfoFile: './node_modules/.tmp/tsconfig.app.tsbuildinfo',
        target: 'es2023',
        lib: ['ES2023', 'DOM'],
        module: 'esnext',
        types: ['vite/client'],
        allowArbitraryExtensions: true,
        skipLibCheck: true,
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        ...bundling,
        ...linting,
      },
      include: ['src'],
    }),
    'tsconfig.node.json': JSON.stringify({
      compilerOptions: {
        tsBuildInfoFile: './node_modules/.tmp/tsconfig.node.tsbuildinfo',
        target: 'es2023',
        lib: ['ES2023'],
        types: ['node'],
        skipLibCheck: true,
        module: 'nodenext',
        ...bundling,
        ...linting,
      },
      include: ['vite.config.ts'],
    }),
  },
}
