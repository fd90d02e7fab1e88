// A server of the newer protocol revision with resources and prompts, as a program.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { makeContentServer } from './modern-content.ts';

serveStdio(() => makeContentServer());
