from groundwire.serve.page._page import Page as Page
