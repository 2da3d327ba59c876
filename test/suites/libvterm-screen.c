/*
 * A terminal by libvterm. Reads commands from stdin: `S ROWS COLS` begins a terminal of this size, `R ROWS
 * COLS` resizes it, `W SIZE` is followed by so many bytes of output, and `P` prints the screen: a line for
 * each row, of cells with tabs between them. A cell is its code points in hexadecimal digits with dots between
 * them, its width, its colours (-: the default one, a number of the palette, or # and six digits) and its
 * attributes (b, i, u, r, s), with colons between these. Empty cells at a row's end are left out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vterm.h>

static VTerm *terminal;

static void begin(int rows, int cols)
{
	if (terminal != NULL)
		vterm_free(terminal);
	terminal = vterm_new(rows, cols);
	vterm_set_utf8(terminal, 1);
	vterm_screen_enable_altscreen(vterm_obtain_screen(terminal), 1);
	vterm_screen_reset(vterm_obtain_screen(terminal), 1);
}

static void print_colour(const VTermColor *colour)
{
	if (VTERM_COLOR_IS_DEFAULT_FG(colour) || VTERM_COLOR_IS_DEFAULT_BG(colour))
		fputs(":-", stdout);
	else if (VTERM_COLOR_IS_INDEXED(colour))
		printf(":%d", colour->indexed.idx);
	else
		printf(":#%02x%02x%02x", colour->rgb.red, colour->rgb.green, colour->rgb.blue);
}

static int is_empty(const VTermScreenCell *cell)
{
	VTermScreenCellAttrs attrs = cell->attrs;

	return cell->chars[0] == 0 && VTERM_COLOR_IS_DEFAULT_BG(&cell->bg) && !attrs.reverse &&
	       !attrs.underline && !attrs.strike;
}

static void print_cell(const VTermScreenCell *cell)
{
	int at;

	for (at = 0; at < VTERM_MAX_CHARS_PER_CELL && cell->chars[at] != 0; at++)
		printf("%s%x", at == 0 ? "" : ".", cell->chars[at]);
	printf(":%d", cell->width);
	print_colour(&cell->fg);
	print_colour(&cell->bg);
	printf(":%s%s%s%s%s\t", cell->attrs.bold ? "b" : "", cell->attrs.italic ? "i" : "",
	       cell->attrs.underline ? "u" : "", cell->attrs.reverse ? "r" : "",
	       cell->attrs.strike ? "s" : "");
}

static void print_screen(void)
{
	VTermScreen *screen = vterm_obtain_screen(terminal);
	VTermScreenCell cell;
	VTermPos at;
	int rows, cols, end;

	vterm_get_size(terminal, &rows, &cols);
	for (at.row = 0; at.row < rows; at.row++) {
		end = 0;
		for (at.col = 0; at.col < cols; at.col++)
			if (vterm_screen_get_cell(screen, at, &cell) && !is_empty(&cell))
				end = at.col + 1;
		for (at.col = 0; at.col < end; at.col += cell.width > 0 ? cell.width : 1) {
			vterm_screen_get_cell(screen, at, &cell);
			print_cell(&cell);
		}
		putchar('\n');
	}
	fflush(stdout);
}

int main(void)
{
	char line[64];
	char *bytes;
	int first, second;

	while (fgets(line, sizeof line, stdin) != NULL) {
		if (sscanf(line, "S %d %d", &first, &second) == 2)
			begin(first, second);
		else if (sscanf(line, "R %d %d", &first, &second) == 2)
			vterm_set_size(terminal, first, second);
		else if (sscanf(line, "W %d", &first) == 1) {
			bytes = malloc(first);
			if (bytes == NULL || fread(bytes, 1, first, stdin) != (size_t)first)
				return 1;
			vterm_input_write(terminal, bytes, first);
			free(bytes);
		} else
			print_screen();
	}
	return 0;
}
