import process from 'node:process';
import { variations, violations } from './gallery.ts';
import { startProvider } from './provider.ts';

// Serves one provider of the gallery, to look at it by hand: `tsx test/mutants/serve.ts <name>`.
const [name = ''] = process.argv.slice(2);
const known = [...violations, ...variations];
const mutant = known.find((one) => one.name === name);
if (mutant === undefined) {
  const names = known.map((one) => `  ${one.name}: ${one.summary}`).join('\n');
  process.stderr.write(`there is no provider ${JSON.stringify(name)}; there are\n${names}\n`);
  process.exitCode = 2;
} else {
  const { url, apiKey } = await startProvider(mutant);
  process.stdout.write(`${mutant.name} ${mutant.summary}: ${url}, with the key ${apiKey}\n`);
}
