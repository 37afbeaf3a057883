import { backlog } from './capacity.ts';
import { verification } from './fetch.ts';

interface CaptchaOptions {
  edgeDir: string;
  caFolder?: string;
}

/**
 * Asks vendors of challenges for Lua, which names the address: nginx speaks TLS and knows the authorities. Only the workers
 * reach its socket.
 */
export function captchaServer({ edgeDir, caFolder = '/etc/ssl/certs' }: CaptchaOptions): string {
  return `server {
    listen "unix:${edgeDir}/run/captcha.sock" backlog=${backlog};
    access_log off;
    client_max_body_size 32k;
    client_body_buffer_size 32k;
    proxy_http_version 1.1;
    proxy_next_upstream off;
    proxy_connect_timeout 2s;
    proxy_send_timeout 4s;
    proxy_read_timeout 4s;
    proxy_set_header Host $http_host;
    proxy_set_header Connection "";
    proxy_set_header Accept application/json;
    proxy_set_header User-Agent Breakwater;
    proxy_set_header X-Breakwater-To "";
    proxy_ssl_server_name on;
    proxy_ssl_name $host;
    proxy_ssl_protocols TLSv1.2 TLSv1.3;
    ${verification('proxy', edgeDir, caFolder)}
    location ~ ^/(?<captcha_scheme>https?)(?<captcha_path>/.*)$ {
      proxy_pass $captcha_scheme://$http_x_breakwater_to$captcha_path;
    }
  }`;
}
