/**
 * A table before its match: who sits where, its settings, and what the host does about them.
 *
 * The stream of the table is the only source. Once the match has begun, the table's own screen
 * takes over.
 */
import type { Settings, TableState } from "../net/protocol.ts";
import type { Connection } from "../net/socket.ts";
import { TableLink, type Wish } from "../net/table.ts";

export class Room {
  state = $state.raw<TableState>();
  settings = $state.raw<Settings>();
  code = $state<string | null>(null);
  user = $state("");
  connection = $state<Connection>("connecting");
  /** The code of the closing after which nothing more comes. */
  ended = $state<number>();
  private readonly link: TableLink;

  constructor(table: string) {
    this.link = new TableLink(table, {
      welcome: (message) => {
        this.state = message.state;
        this.settings = message.settings;
        this.code = message.code;
        this.user = message.user;
      },
      update: (message) => {
        this.state = message.state;
        if (message.settings) this.settings = message.settings;
      },
      draft: () => {},
      watchers: () => {},
      connection: (connection) => {
        this.connection = connection;
      },
      gone: (code) => {
        this.ended = code;
      },
    });
    this.link.open();
  }

  /** @throws ApiError if the server refuses it. */
  async do(wish: Wish): Promise<void> {
    await this.link.command(wish);
  }

  close(): void {
    this.link.close();
  }
}
