import { oauthContract } from '@shared/contracts/oauth.contract.ts';
import type { OAuthService } from '../capabilities/tools/mcp-users/oauth/OAuthService.ts';
import { defineRouter } from './router.ts';

export const createOAuthRouter = (oauth: OAuthService) =>
  defineRouter(oauthContract, {
    list: () => oauth.list(),
    prepare: ({ serverId, client }) => oauth.prepare(serverId, client),
    open: ({ serverId }) => oauth.open(serverId),
    cancel: ({ serverId }) => oauth.cancel(serverId),
    signOut: ({ serverId }) => oauth.signOut(serverId),
  });
