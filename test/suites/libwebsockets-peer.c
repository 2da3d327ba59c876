/*
 * A log stream by libwebsockets: prints its port, and does the steps that a request names.
 *
 * The query parameter deploymentId holds the steps, with dots between them: a letter and the payload in
 * hexadecimal digits. T is a text message, B a binary one; t, c and C are the first, a middle and the last
 * fragment of a text. p is a ping, and P one whose pong is awaited; libwebsockets tells of no pong without a
 * payload. X closes with a code of four digits and a reason.
 */
#include <libwebsockets.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 16384

struct session {
	char steps[LONGEST];
	char *next;
	int awaits_pong;
};

/* Decodes hexadecimal digits up to another character; returns the number of bytes. */
static size_t decode(const char *digits, unsigned char *bytes)
{
	size_t size = 0;
	unsigned int byte;

	while (sscanf(digits + 2 * size, "%2x", &byte) == 1)
		bytes[size++] = (unsigned char)byte;
	return size;
}

/* Does the next step; returns -1 where it closes the connection. */
static int step(struct lws *wsi, struct session *session)
{
	static unsigned char buffer[LWS_PRE + LONGEST];
	unsigned char *payload = buffer + LWS_PRE;
	char kind = *session->next;
	size_t size = decode(session->next + 1, payload);
	char *end = strchr(session->next, '.');
	int flags = LWS_WRITE_TEXT;

	session->next = end == NULL ? NULL : end + 1;
	if (kind == 'X') {
		lws_close_reason(wsi, (enum lws_close_status)(payload[0] << 8 | payload[1]), payload + 2, size - 2);
		return -1;
	}
	if (kind == 'B')
		flags = LWS_WRITE_BINARY;
	if (kind == 'p' || kind == 'P')
		flags = LWS_WRITE_PING;
	if (kind == 't')
		flags = LWS_WRITE_TEXT | LWS_WRITE_NO_FIN;
	if (kind == 'c')
		flags = LWS_WRITE_CONTINUATION | LWS_WRITE_NO_FIN;
	if (kind == 'C')
		flags = LWS_WRITE_CONTINUATION;
	session->awaits_pong = kind == 'P';
	if (lws_write(wsi, payload, size, (enum lws_write_protocol)flags) < 0)
		return -1;
	if (!session->awaits_pong)
		lws_callback_on_writable(wsi);
	return 0;
}

static int serve(struct lws *wsi, enum lws_callback_reasons reason, void *user, void *in, size_t length)
{
	struct session *session = user;
	const char *steps;

	(void)in;
	(void)length;
	if (reason == LWS_CALLBACK_ESTABLISHED) {
		steps = lws_get_urlarg_by_name(wsi, "deploymentId=", session->steps, LONGEST);
		session->next = (char *)steps;
		session->awaits_pong = 0;
		lws_callback_on_writable(wsi);
	}
	if (reason == LWS_CALLBACK_RECEIVE_PONG) {
		session->awaits_pong = 0;
		lws_callback_on_writable(wsi);
	}
	if (reason == LWS_CALLBACK_SERVER_WRITEABLE && session->next != NULL && !session->awaits_pong)
		return step(wsi, session);
	return 0;
}

static const struct lws_protocols protocols[] = {
	{ "log", serve, sizeof(struct session), 0, 0, NULL, 0 },
	{ NULL, NULL, 0, 0, 0, NULL, 0 },
};

static const struct lws_extension extensions[] = {
	{ "permessage-deflate", lws_extension_callback_pm_deflate, "permessage-deflate" },
	{ NULL, NULL, NULL },
};

int main(void)
{
	struct lws_context_creation_info info;
	struct lws_context *context;

	memset(&info, 0, sizeof info);
	info.iface = "lo";
	info.port = 0;
	info.protocols = protocols;
	info.extensions = extensions;
	info.max_http_header_data2 = 2 * LONGEST;
	lws_set_log_level(LLL_ERR, NULL);
	context = lws_create_context(&info);
	if (context == NULL)
		return EXIT_FAILURE;
	printf("%d\n", lws_get_vhost_listen_port(lws_get_vhost_by_name(context, "default")));
	fflush(stdout);
	while (lws_service(context, 0) >= 0)
		;
	return EXIT_SUCCESS;
}
